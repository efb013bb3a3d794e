import { ProviderError, type Lifecycle, type ProviderErrorCode } from '@tarmac/plugin-kit'

/** An error that the plugin has found itself. Nothing was changed. */
export function refused(
  code: ProviderErrorCode,
  message: string,
  reason?: string,
  files: readonly string[] = []
): ProviderError {
  return new ProviderError(code, message, {
    outcome: 'notApplied',
    ...(reason === undefined ? {} : { reason }),
    ...(files.length === 0
      ? {}
      : { fields: files.map((path) => ({ path, message: 'Both sides changed it' })) }),
  })
}

/** Types of errors in answers of GraphQL, which come with status 200. */
const GRAPHQL: Readonly<Record<string, ProviderErrorCode>> = {
  NOT_FOUND: 'notFound',
  FORBIDDEN: 'forbidden',
  INSUFFICIENT_SCOPES: 'forbidden',
  RATE_LIMITED: 'rateLimited',
  UNPROCESSABLE: 'invalid',
}

const MOVED = [301, 307, 308]

interface ErrorBody {
  message?: unknown
  errors?: unknown
}

interface Detail {
  type?: unknown
  message?: unknown
  code?: unknown
  field?: unknown
}

/** Returns the meaning of an error of GitHub; undefined leaves it to the status. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  if (MOVED.includes(status)) {
    return {
      code: 'notFound',
      reason:
        'GitHub answers with another address: the repository (or the branch) was renamed or ' +
        'transferred. Put its new name into the app’s file.',
    }
  }
  const { message, errors } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
  const [first] = (Array.isArray(errors) ? errors : []) as Detail[]
  if (status < 300) {
    // GraphQL alone explains itself in a success.
    if (typeof first?.message !== 'string') return undefined
    return { code: GRAPHQL[String(first.type)] ?? 'invalid', reason: first.message }
  }
  const text = typeof message === 'string' ? message : ''
  if (status === 422) return { code: 'invalid', reason: reasonOf(text, first) }
  return undefined
}

function reasonOf(message: string, detail: Detail | undefined): string {
  if (typeof detail?.message === 'string') return detail.message
  if (typeof detail?.code === 'string') return `${message}: ${String(detail.field)} ${detail.code}`
  return message
}
