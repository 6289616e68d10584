"""The page's JavaScript as its own tools see it."""

from web.node import HERE, ROOT, SOURCES, run, tool


def test_types_hold() -> None:
    """The compiler finds every JSDoc type of the page and of the client right."""
    done = run(tool("tsc"), "--project", HERE / "tsconfig.json")
    assert done.returncode == 0, done.stdout


def test_style_holds() -> None:
    """The linter finds nothing, and no warning either."""
    done = run(tool("eslint"), "--config", HERE / "eslint.config.js", "--max-warnings", "0", *SOURCES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_module_is_checked() -> None:
    """Each of our modules asks for the compiler's check in its first line, and depends on nothing but our own."""
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.js")):
            text = path.read_text(encoding="utf-8")
            assert text.startswith("// @ts-check\n"), path
            for line in text.splitlines():
                if line.startswith(("import ", "export ")) and ' from "' in line:
                    assert ' from "./' in line or ' from "../' in line, f"{path}: {line}"
