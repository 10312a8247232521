/** The sign of the product: two circles that share an edge. */
export function Mark() {
  return (
    <svg class="mark-sign" viewBox="0 0 40 28" width="40" height="28" aria-hidden="true" focusable="false">
      <circle cx="14" cy="14" r="11" fill="none" stroke="currentColor" stroke-width="4" />
      <circle cx="26" cy="14" r="11" fill="none" stroke="currentColor" stroke-width="4" opacity="0.55" />
    </svg>
  )
}
