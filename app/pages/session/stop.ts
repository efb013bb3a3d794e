/** The value of `to=` for signing in to stop a rollout, and on the page to which people return. */
export const STOP = 'stop'

/** The value of `to=` for signing in to fill in a form again, which was not sent. */
export const REPEAT = 'repeat'

/** The value of `to=` for signing in to send a form again, whose input is kept. */
export const RESEND = 'resend'

/** Returns an address without the focus on the red button, for polls. */
export function withoutPress(address: string): string {
  const [path, query] = address.split('?')
  const asked = new URLSearchParams(query)
  if (asked.get('to') !== STOP) return address
  asked.delete('to')
  return asked.size > 0 ? `${path}?${asked}` : path
}
