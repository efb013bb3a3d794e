/** Headers of every attempt, beside those of its signature and of its endpoint. */
export const SENT_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Tarmac-Webhooks',
} as const
