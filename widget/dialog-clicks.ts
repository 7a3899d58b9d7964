/** Prevents clicks in a dialog from following a link around the element. Buttons of a form and labels keep their own action. */
export function keepClicksInDialog(dialog: HTMLDialogElement): void {
  dialog.addEventListener('click', (click) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- clicks of a dialog are on elements
    const target = click.target as Element;
    if (target.matches('input') || !target.closest('label,form button')) click.preventDefault();
  });
}
