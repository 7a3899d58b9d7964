import { css } from 'lit';

/**
 * Styles of the shadow root. `reserve.css` reserves the same space until the script runs, so their sizes must match. The classes of the
 * `div` are the state and the value of `show`; the rules have no comments, because they are part of the script.
 *
 * - From top to bottom: the estimate (2.5em), the button (48 px and a margin of 8), and the one that opens the details (32 px), which `.both`
 *   reserves also without a button; then the disclosure.
 * - The state `unavailable` shows the disclosure first, and the hidden section keeps its space below.
 * - Every element in the state `loading` is hidden by the animation `appear`, which takes no time, until its delay is over. Then the estimate
 *   and the disclosure are the gray skeleton.
 * - The only `[role]` is the status for screen readers, which is clipped, so that it is invisible.
 * - Text has the color of the page, so that it is as legible as the page on any background.
 * - The skeleton appears after a delay, because most responses arrive before. The button has a longer delay, because the response
 *   determines whether the button is shown.
 * - The longest disclosure is rendered invisibly behind the real one, and reserves its height at every width.
 * - The estimate has room for two lines, which Spanish and wide fonts need on a narrow page.
 * - Only the disclosure may grow. It is the last part, so that nothing below it moves.
 * - The disclosure has 14 px on a phone and 12 px on wide pages.
 * - The transparent border of the button is visible in forced colors.
 */
export const styles = css`
:host {
    max-width: 32rem;
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
  #disclosure {
    display: grid;
  }
  div {
    grid-template-columns: 100%;
  }
  p {
    margin: 0;
  }
  section {
    margin-bottom: 12px;
    line-height: 1.25;
  }
  #estimate,
  [part~='button'] {
    align-content: center;
  }
  #estimate {
    min-height: 2.5em;
  }
  strong {
    font-size: 1.25em;
    line-height: 0;
    white-space: nowrap;
  }
  [part~='button'] {
    display: block;
    box-sizing: border-box;
    width: 100%;
    min-height: 48px;
    padding: 3px 16px;
    margin-top: 8px;
    border: 1px solid #0000;
    border-radius: var(--financing-radius, 10px);
    background: var(--financing-accent, light-dark(#054, #8dc));
    color: var(--financing-accent-text, light-dark(#fff, #021));
    font-size: 1em;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
  }
  .both section {
    min-height: calc(2.5em + 88px);
  }
  [part~='button']:hover {
    filter: brightness(0.9);
  }
  [part~='button']:disabled {
    background: #8884;
    color: inherit;
    opacity: 0.6;
    filter: none;
    cursor: default;
  }
  :focus-visible {
    outline-offset: 2px;
  }
  #disclosure {
    line-height: 1.5;
    text-align: start;
    font-size: max(clamp(12px, 26px - 3vw, 14px), 0.75em);
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
    min-height: 32px;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    font-size: max(14px, 0.8em);
    text-decoration: underline;
    cursor: pointer;
  }
  .unavailable section,
  :is(.idle, .failed, .loading) [part='details-button'] {
    visibility: hidden;
  }
  .unavailable section {
    order: 1;
  }
  .loading * {
    animation: appear 0s 0.2s backwards;
  }
  .loading [part~='button'] {
    animation-delay: 1s;
  }
  .loading #estimate,
  .loading span {
    background: currentColor;
    opacity: 0.08;
  }
  [role] {
    position: absolute;
    clip-path: inset(50%);
  }
  @media print {
    [part~='button'],
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
