// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

import type { Selector } from './stream.ts';

/** CreatedWebhook is a new webhook with its secret. */
export interface CreatedWebhook extends Webhook {
  /** With it notices are signed. It is shown this once */
  secret: string;
}

/** NewWebhook is a webhook that is to be made (protocol/spec.md §7.17). */
export interface NewWebhook {
  /** So long a request is held, and dropped where somebody answers it meanwhile */
  delayMs?: number;
  /** false: nothing is sent until it is enabled, and nothing is lost */
  enabled?: boolean;
  /** What is told */
  kinds: ('request_opened' | 'turn_ended' | 'turn_failed' | 'session_ended' | 'budget')[];
  /** For people */
  name?: string;
  /** Of which sessions, without states and active; absent: of all within reach */
  select?: Selector;
  /** Where notices are sent: on the list of the daemon's operator */
  url: string;
}

/** NewWebhookSecret asks for another secret. */
export interface NewWebhookSecret {
  /** So long notices are signed with the secret before as well */
  overlapMs?: number;
}

/** SentDeliveries says how many dead deliveries are sent again. */
export interface SentDeliveries {
  /** So many. Those for which there was no room are dead still */
  sent: number;
}

/** Webhook is a webhook without its secret. */
export interface Webhook {
  /** When it was made */
  createdAt: string;
  /** Dead deliveries that are kept */
  dead: number;
  /** So long a request is held */
  delayMs?: number;
  /** Since the daemon's start */
  delivered: number;
  /** Why the daemon sends nothing. gone: the receiver has answered 410; token: the token that made it is void; url: the URL is not allowed any more */
  disabled?: 'gone' | 'token' | 'url';
  /** Dead deliveries that were dropped because too many were kept */
  droppedDead: number;
  /** false: somebody wants nothing to be sent */
  enabled: boolean;
  /** The webhook's id */
  id: string;
  /** What is told */
  kinds: string[];
  /** For people */
  name?: string;
  /** Until then notices are signed with the secret before as well */
  oldSecretUntil?: string;
  /** The token that made it; admin: the daemon's own, or the unix socket */
  owner: string;
  /** Notices that were made and are not delivered. More may wait in the logs */
  pending: number;
  /** Of which sessions; absent: of all within reach */
  select?: Selector;
  /** Where notices are sent */
  url: string;
}

/** WebhookChange says what of a webhook is to be otherwise; what is absent stays. */
export interface WebhookChange {
  /** Of requests that are found from now on */
  delayMs?: number;
  /** true: it goes on where it was, also after the receiver has answered 410 */
  enabled?: boolean;
  /** What is told from now on */
  kinds?: ('request_opened' | 'turn_ended' | 'turn_failed' | 'session_ended' | 'budget')[];
  /** For people */
  name?: string;
  /** Of which sessions; {} is all within reach. A session that comes to match is told from where it was, or from its first event after the webhook was made */
  select?: Selector;
  /** Where notices are sent from now on */
  url?: string;
}

/** WebhookDeliveries is deliveries of a webhook. */
export interface WebhookDeliveries {
  /** The oldest first, at most 256; the newest where there are more */
  deliveries: WebhookDelivery[];
}

/** WebhookDelivery is one notice for one webhook. */
export interface WebhookDelivery {
  /** The first try */
  firstAt?: string;
  /** The webhook-id that it is sent with */
  id: string;
  /** Of the notice */
  kind: string;
  /** The last try */
  lastAt?: string;
  /** What was wrong with the last try. refused: the address may not be reached; status: the receiver did not take it */
  lastError?: 'dns' | 'refused' | 'connection' | 'tls' | 'timeout' | 'redirect' | 'status';
  /** Of the receiver's last answer */
  lastStatus?: number;
  /** The next try, where it waits for one */
  nextAt?: string;
  /** It was dead, and has no place in its session's order any more */
  sentAgain?: boolean;
  /** That it is about */
  sessionId?: string;
  /** What became of it */
  state: 'pending' | 'delivered' | 'dead';
  /** So many were there */
  tries: number;
}

/** WebhookList is webhooks. */
export interface WebhookList {
  /** Those of this token, the oldest first; to the scope admin all */
  webhooks: Webhook[];
}

/** WebhookSecret is a new secret of a webhook. */
export interface WebhookSecret {
  /** Until then notices are signed with the secret before as well */
  oldSecretUntil?: string;
  /** With it notices are signed from now on. It is shown this once */
  secret: string;
}

/** WebhookTest is what came of a test. */
export interface WebhookTest {
  /** The receiver has answered with 2xx */
  delivered: boolean;
  /** What was wrong */
  error?: 'dns' | 'refused' | 'connection' | 'tls' | 'timeout' | 'redirect' | 'status';
  /** Of its answer */
  status?: number;
  /** How long it took */
  tookMs: number;
}
