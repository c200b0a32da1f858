import { LitElement } from 'lit';

/** A dialog that has a result. When it is closed it fires `left` and then the result: the editor cannot have the focus before. */
export class ResultDialog extends LitElement {
  #result: Event | undefined;

  /** For the event `close` of the `dialog` element. */
  protected readonly leave = (): void => {
    this.remove();
    this.dispatchEvent(new Event('left'));
    if (this.#result) this.dispatchEvent(this.#result);
  };

  protected close(result?: Event): void {
    const dialog = this.renderRoot.querySelector('dialog');
    this.#result = result;
    if (dialog?.open) dialog.close();
    // The user has closed it during a request.
    else if (result) this.dispatchEvent(result);
  }
}
