"""The JavaScript client as its README shows it, and its ways with a bad line."""

import re

from oddtrick_server.pages import installed
from web.conftest import ROOT, People
from web.people import Server

README = ROOT / "client_sdk/oddtrick_sdk/js/README.md"
BLOCK = re.compile(r"```js\n(.*?)```", re.DOTALL)


def module() -> str:
    """Where the server under test serves the client."""
    return f"/a/{installed().digest}/js/oddtrick.js"


def test_the_ten_lines_of_the_readme_play(people: People, server: Server) -> None:
    """What the README shows first sits down, begins, and plays its cards when it is its turn."""
    code = BLOCK.findall(README.read_text(encoding="utf-8"))[0]
    code = code.replace('import { Client } from "./oddtrick.js";', f'const {{ Client }} = await import("{module()}");')
    code = code.replace("ws://localhost:8765/ws", server.url.replace("http", "ws") + "/ws")
    code = code.replace("console.log(", "told.push([").replace("view?.hand?.taken)", "view?.hand?.taken])")
    page = people.person("Ada").opens().page
    told = page.evaluate(
        f"""async () => {{ const told = []; {code}
            while (told.filter(([t]) => t === "card_played").length < 8) await new Promise((go) => setTimeout(go, 50));
            client.stop(); return told; }}"""
    )
    kinds = [kind for kind, _ in told]
    assert kinds.count("card_played") >= 8
    assert any(taken and sum(taken) >= 1 for _, taken in told)


def test_what_was_asked_while_the_line_was_down_is_done_once(people: People, server: Server) -> None:
    """A request made offline is answered when the line is back; one whose answer was lost is not done twice."""
    page = people.person("Ada").opens().page
    tables = page.evaluate(
        f"""async (url) => {{
            const {{ Client }} = await import("{module()}");
            class Broken extends WebSocket {{
                send(data) {{
                    super.send(data);
                    if (data.includes('"create"') && !window.cut) {{ window.cut = true; setTimeout(() => this.close(), 0); }}
                }}
            }}
            const client = new Client({{ url, name: "Ada", WebSocket: Broken }});
            const wish = {{ code: "whist-1900", enforcement: "strict" }};
            client.start();
            const known = new Set((await client.request("tables", wish)).tables?.map((line) => line.table));
            const {{ table }} = await client.request("create", wish);
            const {{ tables }} = await client.request("tables", wish);
            client.stop();
            return tables.filter((line) => !known.has(line.table)).map((line) => line.table === table);
        }}""",
        server.url.replace("http", "ws") + "/ws",
    )
    assert page.evaluate("window.cut") is True
    assert tables == [True]


def test_a_taken_over_client_stops(people: People, server: Server) -> None:
    """A client whose identity has connected elsewhere says so and does not fight for the line."""
    page = people.person("Ada").opens().page
    code = page.evaluate(
        f"""async (url) => {{
            const {{ Client }} = await import("{module()}");
            const one = new Client({{ url, name: "Ada" }});
            const token = new Promise((go) => one.on("welcome", (welcome) => go(welcome.token)));
            const stopped = new Promise((go) => one.on("stopped", go));
            one.start();
            const other = new Client({{ url, name: "Ada", token: await token }});
            other.start();
            const why = await stopped;
            other.stop();
            return why.code;
        }}""",
        server.url.replace("http", "ws") + "/ws",
    )
    assert code == 4409


def test_it_comes_back_no_sooner_than_the_server_asked(people: People) -> None:
    """What `going` says to do goes before the close code, and what it asks to wait is waited once."""
    page = people.person("Ada").opens().page
    waits = page.evaluate(
        f"""async () => {{
            const {{ Client }} = await import("{module()}");
            const going = (rest) => JSON.stringify({{ t: "going", reason: "restart", ...rest }});
            const goings = [going({{ retry: "resume", after_ms: 60000 }}), null, going({{ retry: "later" }})];
            const waits = [];
            const later = window.setTimeout;
            window.setTimeout = (go, ms) => (waits.push(ms), later(go, 0));
            const all = new Promise((go) => {{
                class Leaving {{
                    constructor() {{
                        const said = goings.shift();
                        if (said === undefined) {{ client.stop(); go(waits); return; }}
                        later(() => {{
                            if (said) this.onmessage({{ data: said }});
                            this.onclose({{ code: 1012, reason: "" }});
                        }}, 0);
                    }}
                    close() {{}}
                }}
                const client = new Client({{ url: "ws://away", name: "Ada", WebSocket: Leaving, random: () => 0 }});
                client.start();
            }});
            await all;
            window.setTimeout = later;
            return waits;
        }}"""
    )
    assert waits == [60_100, 200, 4_000]
