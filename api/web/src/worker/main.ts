import { newTabId, Tab } from './tab.ts';
import type { ToWorker, FromWorker } from '../tabs/port.ts';

/** What of a worker's own scope is used here. */
interface Scope {
  onmessage: ((e: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
  close(): void;
}

const scope = self as unknown as Scope;
let tab: Tab | undefined;

scope.onmessage = ({ data }) => {
  switch (data.type) {
    case 'begin':
      tab = new Tab(newTabId(), data, (batch) => scope.postMessage(batch));
      return;
    case 'close':
      void (tab?.close() ?? Promise.resolve()).finally(() => {
        scope.postMessage('closed');
        scope.close();
      });
      return;
    default:
      tab?.ask(data);
  }
};
