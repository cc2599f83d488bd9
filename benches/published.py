"""Tables that a bench writes into a page of the docs, between their marks."""
import os, sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def publish(page, mark, lines):
    """Prints lines and puts them into docs/PAGE between `<!-- MARK -->` and `<!-- end -->`."""
    print("\n" + "\n".join(lines), flush=True)
    file = os.path.join(HERE, "docs", page)
    with open(file) as text:
        before, start, rest = text.read().partition(f"<!-- {mark} -->\n")
    _, end, after = rest.partition("<!-- end -->\n")
    if not end:
        sys.exit(f"{file} has no marks for `{mark}`")
    with open(file, "w") as text:
        text.write(before + start + "\n" + "\n".join(lines).strip() + "\n\n" + end + after)
