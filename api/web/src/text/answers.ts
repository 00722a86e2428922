import type { Option } from 'ringmaster-protocol';

/** An answer that this page knows: its words, the key that gives it, and how its button looks. */
export interface Known {
  words: string;
  key?: string;
  class: string;
}

export const known: Readonly<Record<string, Known>> = {
  allow_once: { words: 'Allow once', key: 'y', class: 'primary' },
  allow_always: { words: 'Always allow', class: '' },
  deny: { words: 'Deny', key: 'n', class: '' },
  deny_stop: { words: 'Deny and stop', class: 'danger' },
};

/** Whether an answer is given at once. What allows for always asks twice, and so does what this build does not know: it may allow more than once, too. What is not shown whole is not allowed at once either; unseen says why, and is empty where it is shown whole. */
export function isPlain(option: string, unseen: string): boolean {
  return (option === 'allow_once' && unseen === '') || option === 'deny' || option === 'deny_stop';
}

/** The answers that an agent takes, in the order that people know. */
export function sorted(options: readonly Option[]): string[] {
  return [...Object.keys(known).filter((id) => options.some((o) => o.id === id)), ...options.map((o) => o.id).filter((id) => !(id in known))];
}

/** The answer that a key gives, if the agent takes it. */
export function byKey(key: string, options: readonly Option[]): string | undefined {
  return Object.entries(known).find(([id, o]) => o.key === key && options.some((x) => x.id === id))?.[0];
}

/** What a key does while a request has the focus. */
export interface Pressed {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  /** It is held down. */
  repeat: boolean;
}

/** A key answers an approval: pressed once, alone, and not into a field. */
export function answers(e: Pressed, isTyping: boolean): boolean {
  return !isTyping && !e.metaKey && !e.ctrlKey && !e.altKey && !e.repeat && (e.key === 'y' || e.key === 'n');
}
