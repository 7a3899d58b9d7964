import { render, type TemplateResult } from 'lit/html.js';
import { emit, FinancingError } from './events.ts';

/** Where there is no page, as on a server, the class can still be imported; it is of no use there. */
const Base = globalThis.HTMLElement ?? Object;

/**
 * The part of LitElement that one element needs: attributes that are properties, one rendering for any number of changes,
 * a shadow root with an adopted style sheet. A sixth of the bytes (server/decisions/0024).
 *
 * A property set before the script arrived counts, and more than its attribute.
 */
export abstract class RenderedElement extends Base {
  /** The properties whose changes are rendered. Each has an attribute: that of `apiKey` is `api-key`. */
  static properties: readonly string[];
  /** Those without an attribute, for what no attribute can say. */
  static data: readonly string[];
  static styles: string;
  private static sheet: CSSStyleSheet | undefined;

  /** Resolves once every change so far is rendered. */
  updateComplete: Promise<void> = Promise.resolve();

  readonly #values: Record<string, unknown> = {};
  #root: ShadowRoot | undefined;
  #hasCome = false;
  #isStale = false;

  /** Asked by `customElements.define`, once. */
  static get observedAttributes(): string[] {
    const attributes = [...this.properties, ...this.data].map((name) => {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: RenderedElement) {
          return this.#values[name];
        },
        set(this: RenderedElement, value: unknown) {
          this.#values[name] = value;
          this.requestUpdate();
        },
      });
      return name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    });
    return [...attributes.slice(0, this.properties.length), 'lang'];
  }

  attributeChangedCallback(attribute: string, _before: string | null, value: string | null): void {
    const name = attribute.replace(/-./, ([, letter]) => letter!.toUpperCase());
    // Not by the property: one that was set before the script arrived still stands in its way, and every element has its own `lang`.
    this.#values[name] = value;
    this.requestUpdate();
  }

  connectedCallback(): void {
    if (!this.#root) {
      this.#hasCome = !!this.shadowRoot;
      this.#root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
      if (!this.#class.sheet) (this.#class.sheet = new CSSStyleSheet()).replaceSync(this.#class.styles);
      this.#root.adoptedStyleSheets = [this.#class.sheet];
      for (const name of [...this.#class.properties, ...this.#class.data]) {
        if (!Object.hasOwn(this, name)) continue;
        const early: unknown = Reflect.get(this, name);
        Reflect.deleteProperty(this, name);
        Reflect.set(this, name, early);
      }
    }
    this.requestUpdate();
  }

  /** Has the element rendered once more, with whatever else changes until then. */
  requestUpdate(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    this.updateComplete = this.#update(this.updateComplete);
  }

  async #update(before: Promise<void>): Promise<void> {
    await before;
    this.#isStale = false;
    if (!this.isConnected) return;
    try {
      // A root that came with the page is drawn anew, before the browser paints, once there is as much to show.
      if (!this.willRender() && this.#hasCome) return;
      if (this.#hasCome) this.#root!.replaceChildren();
      this.#hasCome = false;
      render(this.render(), this.#root!);
      this.rendered();
    } catch (error) {
      // The next change is rendered all the same.
      emit(this, 'financing-error', new FinancingError('value', String(error)));
    }
  }

  get #class(): typeof RenderedElement {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- instances are made of subclasses of this one
    return this.constructor as typeof RenderedElement;
  }

  /** Works out what is to be shown. @returns Whether it is all there. */
  protected abstract willRender(): boolean;
  protected abstract render(): TemplateResult;
  /** Tells others what is shown. */
  protected abstract rendered(): void;
}
