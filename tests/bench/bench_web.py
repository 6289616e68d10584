"""The page: bytes of a first load, time until it can be used on a slow phone, and from a message to the screen.

Run with the project's interpreter: `python tests/bench/bench_web.py [LOADS]`. It needs Chromium, prints figures and decides nothing.

The slow phone is the browser's own throttling: a processor four times slower, 150 ms of latency and 1.6 Mbit/s ("fast 3G"). The
last figure is taken in the page, from the arrival of a card's event to the next frame in which the card is in the document.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Browser, Page, sync_playwright

from web.conftest import CHROMIUM, FLAGS, SETTINGS
from web.dealt import open_table
from web.people import Person, Server

LOADS_DEFAULT = 5
SLOWER = 4
LATENCY_MS = 150
BYTES_PER_S = 1_600_000 / 8
FRAMES = """() => {
    const Real = WebSocket; window.drawn = [];
    window.WebSocket = class extends Real {
        set onmessage(listener) {
            super.onmessage = (event) => {
                const card = /"t":"card_played".*?"card":"(\\w\\w)"/.exec(event.data)?.[1];
                const came = performance.now();
                listener(event);
                if (!card) return;
                const look = () => document.querySelector(`.trick [face=${card}]`)
                    ? window.drawn.push(performance.now() - came) : performance.now() - came < 500 && requestAnimationFrame(look);
                requestAnimationFrame(look);
            };
        }
    };
}"""


def throttled(page: Page) -> None:
    """Make the page a slow phone's."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": LATENCY_MS, "downloadThroughput": BYTES_PER_S, "uploadThroughput": BYTES_PER_S},
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def first_load(browser: Browser, url: str, *, slow: bool) -> tuple[float, int, int]:
    """Seconds until the name can be typed and the button works, bytes that came, and requests made."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    if slow:
        throttled(page)
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector("html[data-ready] [data-do='play-now']")
    took = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    context.close()
    came = [size for size in sizes if size > 0]  # what is had from the cache counts below nothing
    return took, sum(came), len(came)


def to_the_screen(browser: Browser, server: Server) -> list[float]:
    """Milliseconds from a card's message to the frame that shows it, for the cards of a hand."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(f"({FRAMES})()")
    table = open_table(server.url, "bench", bots=3, clocks={"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0})
    person = Person("Anna", context, server).sits(table, "N")
    person.does("start")
    for _ in range(12):
        person.goes_on()
    drawn: list[float] = person.page.evaluate("window.drawn")
    context.close()
    return drawn


def main() -> None:
    """Measure and print."""
    loads = int(sys.argv[1]) if len(sys.argv) > 1 else LOADS_DEFAULT
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        server = Server.started(Path(folder), SETTINGS)
        found: list[tuple[float, int, int]] = []
        for slow in (False, True):
            found = [first_load(browser, server.url, slow=slow) for _ in range(loads)]
            seconds = statistics.median(took for took, _, _ in found)
            what = "slow phone" if slow else "this machine"
            print(f"first load, {what}: usable after {seconds:.2f} s (median of {loads})")
        _, size, requests = found[-1]
        print(f"first load: {size / 1000:.0f} kB in {requests} requests")
        drawn = to_the_screen(browser, server)
        print(
            f"from a card's message to the screen: median {statistics.median(drawn):.1f} ms, "
            f"worst {max(drawn):.1f} ms of {len(drawn)} (a frame is 16.7 ms)"
        )
        server.stop()
        browser.close()


if __name__ == "__main__":
    main()
