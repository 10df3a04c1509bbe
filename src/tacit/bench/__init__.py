"""The benchmarks: public data through the product, nothing but readers and metrics."""
