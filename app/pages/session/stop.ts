/** The value of `to=` for signing in to stop a rollout, and on the page that people come back to. */
export const STOP = 'stop'

/** The same for signing in to fill in a form again: it was not sent. */
export const REPEAT = 'repeat'

/** The same where what was typed is kept. */
export const RESEND = 'resend'

/** Returns an address that does not lead to the red button: what is asked for again and again. */
export function withoutPress(address: string): string {
  const [path, query] = address.split('?')
  const asked = new URLSearchParams(query)
  if (asked.get('to') !== STOP) return address
  asked.delete('to')
  return asked.size > 0 ? `${path}?${asked}` : path
}
