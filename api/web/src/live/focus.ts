/** Brings the focus to the pane that has the keys. */
export function focusPane(): void {
  const pane = document.querySelector<HTMLElement>('.pane.focused');
  (pane?.querySelector<HTMLElement>('.log') ?? pane)?.focus({ preventScroll: true });
}
