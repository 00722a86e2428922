import { change } from './once.ts';
import type {
  CreatedWebhook, NewWebhook, NewWebhookSecret, SentDeliveries, Webhook, WebhookChange, WebhookDeliveries, WebhookDelivery, WebhookList, WebhookSecret, WebhookTest,
} from './types/index.ts';
import type { CallOptions, KeyOptions, Wire } from './wire.ts';

/** Have the daemon tell programs of what happens in sessions (spec §7.17). Client.webhooks is one. */
export class Webhooks {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  #at(id: string, more = ''): string {
    return `/webhooks/${encodeURIComponent(id)}${more}`;
  }

  /** Makes a webhook. Its secret is in no later answer. */
  create(webhook: NewWebhook, o: KeyOptions = {}): Promise<CreatedWebhook> {
    return change(this.#wire, { method: 'POST', path: '/webhooks', body: webhook }, o);
  }

  /** Those of the client's token, the oldest first; with the scope admin all. */
  async list(o: CallOptions = {}): Promise<Webhook[]> {
    return (await this.#wire.json<WebhookList>({ method: 'GET', path: '/webhooks' }, o.signal)).webhooks;
  }

  /** Reads a webhook. */
  show(id: string, o: CallOptions = {}): Promise<Webhook> {
    return this.#wire.json({ method: 'GET', path: this.#at(id) }, o.signal);
  }

  /** Changes a webhook. What is not given stays. */
  change(id: string, to: WebhookChange, o: KeyOptions = {}): Promise<Webhook> {
    return change(this.#wire, { method: 'PATCH', path: this.#at(id), body: to }, o);
  }

  /** Deletes a webhook, with all that is known of its deliveries. */
  remove(id: string, o: KeyOptions = {}): Promise<void> {
    return change(this.#wire, { method: 'DELETE', path: this.#at(id) }, o);
  }

  /** Gives a webhook another secret, which is in no later answer. For a while notices are signed with both. */
  rotate(id: string, secret: NewWebhookSecret = {}, o: KeyOptions = {}): Promise<WebhookSecret> {
    return change(this.#wire, { method: 'POST', path: this.#at(id, '/secret'), body: secret }, o);
  }

  /** Sends a test notice once, and says what came of it. */
  test(id: string, o: KeyOptions = {}): Promise<WebhookTest> {
    return change(this.#wire, { method: 'POST', path: this.#at(id, '/test') }, o);
  }

  /** The deliveries that are pending, delivered or dead. */
  async deliveries(id: string, state: 'pending' | 'delivered' | 'dead' = 'pending', o: CallOptions = {}): Promise<WebhookDelivery[]> {
    return (await this.#wire.json<WebhookDeliveries>({ method: 'GET', path: this.#at(id, '/deliveries'), query: { state } }, o.signal)).deliveries;
  }

  /** Tries a delivery at once that waits, and sends a dead one again. */
  send(id: string, delivery: string, o: KeyOptions = {}): Promise<void> {
    return change(this.#wire, { method: 'POST', path: this.#at(id, `/deliveries/${encodeURIComponent(delivery)}/send`) }, o);
  }

  /** Sends all dead deliveries of a webhook again, and says how many. */
  async sendDead(id: string, o: KeyOptions = {}): Promise<number> {
    return (await change<SentDeliveries>(this.#wire, { method: 'POST', path: this.#at(id, '/dead/send') }, o)).sent;
  }
}
