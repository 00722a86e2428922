// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

/** NewDrain is how a node gives its sessions away. */
export interface NewDrain {
  /** For how long turns may come to their end, in milliseconds; then they are interrupted. It is at least a third of the lease */
  waitMs?: number;
}

/** NodeInfo is a daemon on the same Core. */
export interface NodeInfo {
  /** Where other nodes reach it */
  address?: string;
  /** The version of its program */
  build?: string;
  /** It is the daemon that answers */
  here?: boolean;
  /** The instance of its data folder */
  id: string;
  /** How much of its lease is left, in milliseconds: a node that is at work renews it three times in its length */
  leaseMs?: number;
  /** Of the daemon that answers, while it drains: sessions that other nodes can have, and that it has still; -1: they were not counted yet */
  leaving?: number;
  /** That it has in Core */
  sessions: number;
  /** For how long its lease has run out, in milliseconds */
  silentMs?: number;
  /** silent: its lease has run out; unknown: it has not said that it lives */
  state: 'up' | 'silent' | 'draining' | 'left' | 'dead' | 'unknown';
  /** Names of folders that several nodes have */
  workspaces?: string[];
}

/** NodeList are the nodes on one Core. */
export interface NodeList {
  /** In the order of their ids */
  nodes: NodeInfo[];
}
