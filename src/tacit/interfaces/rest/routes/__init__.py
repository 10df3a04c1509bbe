"""The routes by subject: parse, call one method of the facade, give the shape that `wire` makes."""
