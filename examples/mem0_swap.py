"""A chat that remembers its users, written for mem0: one import is all that changes.

The model is a script; remembering and finding need none. Nothing is sent anywhere, and no key is
asked for.
"""

from __future__ import annotations

import sys

if "--mem0" in sys.argv:
    from mem0 import Memory  # needs mem0ai, a vector store and a key of OpenAI
else:
    from tacit.adapters.mem0 import Memory

TALK = {
    "alice": (
        "Hi! I'm Alice, I'm vegetarian and I live in Lisbon.",
        "I run every morning. What should I cook tonight?",
    ),
    "bob": ("I'm Bob. I love a good steak.", "What should I cook tonight?"),
}


def scripted_model(question: str, memories: list[str]) -> str:
    """Answer by what is known of the user, as a model would that was handed it."""
    known = " ".join(memories).lower()
    for word, dish in (("vegetarian", "a mushroom risotto"), ("steak", "a ribeye")):
        if word in known:
            return f"Since you told me of {word}: {dish}."
    return "Tell me more about you."


def chat(memory: Memory, user: str, message: str) -> str:
    """Look up what is known, answer, and remember what was said."""
    found = memory.search(f"{message} food diet", filters={"user_id": user}, top_k=5)
    answer = scripted_model(message, [item["memory"] for item in found["results"]])
    said = [{"role": "user", "content": message}, {"role": "assistant", "content": answer}]
    memory.add(said, user_id=user)
    return answer


def main() -> None:
    with Memory() as memory:
        for user, messages in TALK.items():
            for message in messages:
                print(f"{user}: {message}\n  bot: {chat(memory, user, message)}")
        for user in TALK:
            every = memory.get_all(filters={"user_id": user})["results"]
            print(f"\nof {user}: {[item['memory'] for item in every]}")

        first = memory.get_all(filters={"user_id": "bob"})["results"][0]
        memory.update(first["id"], text="I eat no meat any more")
        print("\nbob's history:")
        for row in memory.history(first["id"]):
            print(f"  {row['event']}: {row['old_memory']} → {row['new_memory']}")


if __name__ == "__main__":
    main()
