export const PROVIDER_ERROR_CODES = [
  'unauthorized',
  'forbidden',
  'notFound',
  'conflict',
  'invalid',
  'preconditionFailed',
  'rateLimited',
  'quotaExhausted',
  'timeout',
  'unavailable',
  'unsupported',
  'protocol',
] as const
export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number]

export interface ProviderErrorDetail {
  /**
   * States whether the requested change happened. On `unknown`, the plugin reads before it repeats.
   */
  outcome: 'notApplied' | 'applied' | 'unknown'
  reason?: string
  /** The person who has to act, and the action. */
  action?: string
  /** The role at the vendor that has to act; absent for anybody else. */
  who?: string
  /** The vendor's own text, if `reason` differs from it. */
  raw?: string
  /** When to try again. A `conflict` that names it passes by itself. */
  retryAfterMs?: number
  status?: number
  vendorCode?: string
  fields?: { path: string; message: string }[]
}

/** The error of a plugin when a provider refuses or fails. The message never contains a secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'

  constructor(
    readonly code: ProviderErrorCode,
    message: string,
    readonly detail: ProviderErrorDetail
  ) {
    super(message)
  }
}

/**
 * Recognizes the error by its members, because a plugin package may throw that of its own copy of
 * the kit.
 */
export function isProviderError(error: unknown): error is ProviderError {
  if (typeof error !== 'object' || error === null) return false
  const { name, code, detail } = error as Partial<ProviderError>
  return (
    name === 'ProviderError' &&
    PROVIDER_ERROR_CODES.some((each) => each === code) &&
    typeof detail === 'object' &&
    detail !== null
  )
}

/**
 * Makes an error that the plugin itself detects, before anything was changed.
 * @param action the person who has to act, and the action; the message ends with it
 */
export function refused(
  code: ProviderErrorCode,
  {
    message,
    ...reported
  }: { message: string } & Pick<
    ProviderErrorDetail,
    'reason' | 'action' | 'retryAfterMs' | 'fields'
  >
): ProviderError {
  const { action } = reported
  const known = Object.entries(reported).filter(([, value]) => value !== undefined)
  return new ProviderError(code, action === undefined ? message : `${message} ${action}`, {
    outcome: 'notApplied',
    ...Object.fromEntries(known),
  })
}

/**
 * Returns the answer of a call, or null if its error means that there is none.
 * @throws every other error
 */
export async function unless<Result>(
  call: Promise<Result>,
  isNone: (error: ProviderError) => boolean
): Promise<Result | null> {
  try {
    return await call
  } catch (error) {
    if (isProviderError(error) && isNone(error)) return null
    throw error
  }
}
