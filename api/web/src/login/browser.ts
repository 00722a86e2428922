const programs = [['Edg', 'Edge'], ['OPR/', 'Opera'], ['Firefox/', 'Firefox'], ['Chrome/', 'Chrome'], ['Safari/', 'Safari']] as const;
const systems = [['Android', 'Android'], ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Mac OS', 'macOS'], ['Windows', 'Windows'], ['Linux', 'Linux']] as const;

/** Names a browser for the list of tokens, by what it says of itself. */
export function browserName(agent: string): string {
  const program = programs.find(([sign]) => agent.includes(sign))?.[1] ?? 'A browser';
  const system = systems.find(([sign]) => agent.includes(sign))?.[1];
  return system === undefined ? program : `${program} on ${system}`;
}
