/**
 * Everything in the shadow root. `reserve.css` keeps the same space before: sizes here and there go together.
 *
 * - Columns come from a grid that fits itself, not from container queries, which would leave the element without a width
 *   of its own in a flex row.
 * - Text takes the page's colour undiluted: it is then as legible as the page, on any background, also where a dark page
 *   does not say `color-scheme`.
 * - The skeleton waits a moment, because most answers come sooner than an eye notices. The button waits longer, because
 *   the answer says whether there is one.
 * - The longest disclosure stands invisibly behind the real one, and keeps its height at every width.
 * - The estimate has room for two lines, which a narrow page needs in long languages and wide fonts.
 * - A transparent border is what forced colours draw.
 */
export const styles = /* css */ `
:host {
    --_accent: var(--financing-accent, light-dark(#054, #8dc));
    --_accent-text: var(--financing-accent-text, light-dark(#fff, #021));
    max-inline-size: 46rem;
    font-family: var(--financing-font, inherit);
  }
  :host(:not([hidden])) {
    display: block;
  }
  :host([theme='light']) {
    color-scheme: light;
    color: #111;
  }
  :host([theme='dark']) {
    color-scheme: dark;
    color: #eee;
  }
  div,
  [part='button'],
  #disclosure,
  dl {
    display: grid;
  }
  div {
    grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr));
    gap: 12px 28px;
  }
  p,
  h2,
  dd {
    margin: 0;
  }
  #estimate {
    align-content: center;
    min-block-size: 2.5em;
    line-height: 1.25;
  }
  ::slotted([slot='logo']) {
    block-size: 1em;
    margin-inline-end: 0.5em;
    vertical-align: middle;
  }
  strong {
    font-size: 1.25em;
    line-height: 0;
    white-space: nowrap;
    unicode-bidi: isolate;
  }
  [part='button'] {
    box-sizing: border-box;
    inline-size: 100%;
    place-content: center;
    min-block-size: 48px;
    padding-inline: 16px;
    margin-block-start: 8px;
    border: 1px solid #0000;
    border-radius: var(--financing-radius, 10px);
    background: var(--_accent);
    color: var(--_accent-text);
    font-size: inherit;
    font-weight: 600;
    line-height: 1.25;
    text-align: center;
    text-decoration: none;
  }
  .both section:first-child {
    min-block-size: calc(2.5em + 56px);
  }
  [part='button']:hover {
    filter: brightness(0.9);
  }
  :focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  #disclosure {
    font-size: max(12px, 0.75em);
    line-height: 1.5;
  }
  #disclosure::before,
  p span {
    grid-area: 1 / 1;
  }
  #disclosure::before {
    content: var(--financing-reserve);
    visibility: hidden;
  }
  button {
    min-inline-size: 32px;
    min-block-size: 32px;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    font-size: max(13px, 0.8em);
    text-decoration: underline;
    cursor: pointer;
  }
  .unavailable [part='button'],
  :is(.idle, .failed, .loading) [part='details-button'] {
    visibility: hidden;
  }
  .unavailable section:first-child {
    order: 1;
  }
  .loading * {
    animation: appear 0s 0.2s backwards;
  }
  .loading [part='button'] {
    animation-delay: 1s;
  }
  .loading #estimate,
  .loading span {
    background: repeating-linear-gradient(currentColor 0 9px, #0000 9px 18px);
    opacity: 0.1;
  }
  .loading #estimate {
    background: linear-gradient(currentColor 0 0) 0 / 11em 1em no-repeat;
  }
  [role] {
    position: absolute;
    clip-path: inset(50%);
  }
  dialog {
    box-sizing: border-box;
    inline-size: min(34rem, 100%);
    border: 1px solid #0000;
    border-radius: 10px;
    line-height: 1.5;
    text-align: start;
    white-space: normal;
  }
  dialog p {
    font-size: max(12px, 0.75em);
  }
  form {
    display: flex;
    justify-content: space-between;
  }
  h2,
  h3,
  caption {
    margin-block: 16px 8px;
    font-size: 1em;
    font-weight: 600;
    text-align: start;
  }
  input {
    box-sizing: border-box;
    inline-size: 100%;
    padding: 10px;
    font: inherit;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  dl {
    grid-template-columns: 1fr auto;
  }
  th,
  td,
  dt,
  dd {
    padding-block: 6px;
    border-block-end: 1px solid #8884;
    font-size: max(13px, 0.8em);
    font-weight: 400;
    text-align: start;
  }
  :last-child:is(td, th),
  dd {
    text-align: end;
  }
  @media print {
    a,
    button {
      display: none;
    }
  }
  @keyframes appear {
    from {
      visibility: hidden;
    }
  }
`;
