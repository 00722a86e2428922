/** How fast a log of 100,000 events is read and folded: node test/speed.ts */
import { decodeEvent, Fold } from '../src/index.ts';

const lines = ['{"seq":1,"ts":1,"type":"session_start","sessionId":"s","agentBackend":"pi","metadata":{}}'];
while (lines.length < 100_000) {
  const seq = lines.length + 1;
  const at = (seq - 2) % 102;
  const entry = `"entryId":"e${Math.floor((seq - 2) / 102)}"`;
  const event =
    at === 0 ? `"entry_start","turnId":"t1",${entry},"entryType":"assistant_message","data":{"role":"assistant","text":""}`
    : at === 101 ? `"entry_end","turnId":"t1",${entry},"entryType":"assistant_message","data":{"role":"assistant","text":"${'some words '.repeat(100)}"}`
    : `"entry_delta",${entry},"delta":{"op":"text_append","text":"some words "}`;
  lines.push(`{"seq":${seq},"ts":1767225602040,"type":${event}}`);
}
const second = (n: number, from: number) => Math.round(n / ((performance.now() - from) / 1000)).toLocaleString('en');
for (let round = 0; round < 3; round++) {
  let from = performance.now();
  const events = lines.map(decodeEvent);
  console.log(`decode  ${second(events.length, from)} events/s`);
  from = performance.now();
  const fold = new Fold();
  events.forEach((event) => fold.apply(event));
  console.log(`fold    ${second(events.length, from)} events/s, ${fold.state.entries.length} entries`);
}
