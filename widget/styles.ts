import { css } from 'lit';

/**
 * Everything in the shadow root. `reserve.css` keeps the same space before: sizes here and there go together.
 *
 * - Columns come from a grid that fits itself, not from container queries, which would leave the element without a width
 *   of its own in a flex row.
 * - Text takes the page's colour undiluted: it is then as legible as the page, on any background, also where a dark page
 *   does not say `color-scheme`.
 * - The skeleton waits a moment, because most answers come sooner than an eye notices. The button waits longer, because
 *   the answer says whether there is one.
 * - A transparent border is what forced colours draw.
 */
export const styles = css`
  :host {
    --_accent: var(--financing-accent, #054);
    --_accent-text: var(--financing-accent-text, #fff);
    max-inline-size: 46rem;
    font-family: var(--financing-font, inherit);
  }
  @supports (color: light-dark(red, red)) {
    :host {
      --_accent: var(--financing-accent, light-dark(#054, #8dc));
      --_accent-text: var(--financing-accent-text, light-dark(#fff, #021));
    }
  }
  :host(:not([hidden])) {
    display: block;
  }
  div,
  a,
  #disclosure {
    display: grid;
  }
  div {
    grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr));
    gap: 12px 28px;
  }
  p {
    margin: 0;
  }
  #estimate {
    min-block-size: 2em;
    line-height: 2em;
    white-space: nowrap;
  }
  strong {
    font-size: 1.25em;
    line-height: 1;
  }
  a {
    place-content: center;
    min-block-size: 46px;
    padding-inline: 16px;
    margin-block-start: 8px;
    border: 1px solid #0000;
    border-radius: var(--financing-radius, 10px);
    background: var(--_accent);
    color: var(--_accent-text);
    font-weight: 600;
    line-height: 1.25;
    text-align: center;
    text-decoration: none;
  }
  a:hover {
    filter: brightness(0.9);
  }
  a:focus-visible {
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
    content: attr(data-reserve);
    visibility: hidden;
  }
  .unavailable a {
    visibility: hidden;
  }
  .unavailable section {
    order: 1;
  }
  .loading * {
    animation: appear 0s 0.2s backwards;
  }
  .loading a {
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
  @keyframes appear {
    from {
      visibility: hidden;
    }
  }
`;
