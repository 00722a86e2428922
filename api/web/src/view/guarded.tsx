import { Component, type ComponentChildren, type JSX } from 'preact';

/** What fails to be drawn takes nothing around it along. */
export class Guarded extends Component<{ children: ComponentChildren }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static override getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): JSX.Element {
    return this.state.hasFailed ? <p class="error">This cannot be shown here. <code>ringmaster log</code> has it.</p> : <>{this.props.children}</>;
  }
}
