import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { NodeInfo } from 'ringmaster-client';
import { count, lasted, plain, saying } from '../text/words.ts';
import { useFeed } from '../view/context.ts';

/** How often the nodes are asked for while they are shown, in milliseconds. */
const again = 2000;

const states: Record<string, string> = { up: 'up', silent: 'silent', draining: 'gives its sessions away', left: 'has left', dead: 'taken for gone', unknown: 'not heard of yet' };

/** The daemons on the same Core: how each stands, and what of it cannot be reached. */
export function Nodes({ close }: { close: () => void }): JSX.Element {
  const feed = useFeed();
  const dialog = useRef<HTMLDialogElement>(null);
  const nodes = useSignal<readonly NodeInfo[] | undefined>(undefined);
  const error = useSignal('');
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        nodes.value = document.hidden ? nodes.peek() : await feed.client.nodes({ signal: end.signal });
        error.value = '';
      } catch (thrown) {
        error.value = saying(thrown);
      }
      if (!end.signal.aborted) {
        timer = setTimeout(() => void look(), again);
      }
    };
    void look();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [feed]);
  const out = new Map<string, number>();
  for (const s of feed.sessions.value.values()) {
    if (s.node !== undefined && s.unreachable) {
      out.set(s.node, (out.get(s.node) ?? 0) + 1);
    }
  }
  const list = nodes.value;
  return (
    <dialog ref={dialog} class="nodes" id="nodes" aria-labelledby="nodes-title" onClose={close}>
      <h2 id="nodes-title">Nodes</h2>
      {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
      {list === undefined ? (error.value === '' ? <p class="note" role="status">Asking…</p> : null)
        : list.length === 0 ? <p class="note">This daemon has no Core, and knows of no other.</p>
          : <div class="table" tabIndex={0} role="region" aria-labelledby="nodes-title">
            <table>
              <thead><tr><th scope="col">Node</th><th scope="col">State</th><th scope="col">Lease left</th><th scope="col">Sessions</th><th scope="col">Workspaces</th><th scope="col">Version</th></tr></thead>
              <tbody>
                {list.map((n) => (
                  <tr key={n.id} class={`node-${n.state}`}>
                    <th scope="row" title={plain(n.id)}><code>{plain(n.id.slice(0, 8))}</code>{n.here ? ' (this one)' : ''}</th>
                    <td class="node-state">{how(n)}</td>
                    <td>{n.leaseMs === undefined ? '' : lasted(n.leaseMs)}</td>
                    <td>{n.sessions}{out.has(n.id) ? <span class="node-out">, {out.get(n.id)} unreachable</span> : null}</td>
                    <td>{(n.workspaces ?? []).map((w) => <code key={w} title={plain(w)}>{plain(w.split('=')[0] ?? w)} </code>)}</td>
                    <td>{plain(n.build ?? '')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>}
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>
  );
}

function how(n: NodeInfo): string {
  const is = states[n.state] ?? plain(n.state);
  return n.silentMs !== undefined ? `${is} for ${lasted(n.silentMs)}` : n.leaving !== undefined && n.leaving > 0 ? `${is}, ${count(n.leaving, 'session')} to go` : is;
}
