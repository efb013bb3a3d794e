import type { Redaction } from '#plugin-kit/port/redaction'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'

/** A call of a capability. */
export interface Called {
  method: string
  /** True if it changes something at the provider. */
  isChange: boolean
}

interface Shield {
  redaction: Redaction
  /** Ends when the caller no longer waits. */
  signal: AbortSignal
  /** Called after each call that has an answer. */
  answered?: (call: Called) => void
  /** Called after each call that failed. */
  failed?: (call: Called, error: ProviderError) => void
  /** Receives unexpected errors of a plugin, without secrets. */
  broken: (error: unknown) => void
}

type Method = (...args: unknown[]) => unknown

/**
 * Wraps a capability so that its failures may be shown: its methods throw only `ProviderError`,
 * without a secret. An unexpected error is `protocol`, and its outcome is unknown.
 */
export function shielded<Capability>(capability: Capability, shield: Shield): Capability {
  const methods = new Map<PropertyKey, Method>()
  return new Proxy(capability as object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function' || name === 'constructor') return member
      let method = methods.get(name)
      if (!method) {
        method = shieldedMethod(target, String(name), member as Method, shield)
        methods.set(name, method)
      }
      return method
    },
  }) as Capability
}

function shieldedMethod(target: object, name: string, method: Method, shield: Shield): Method {
  return async (...args) => {
    const called = { method: name, isChange: args.some(isMutation) }
    try {
      const result: unknown = await Reflect.apply(method, target, args)
      shield.answered?.(called)
      return result
    } catch (error) {
      const reported = reportedError(error, shield)
      shield.failed?.(called, reported)
      throw reported
    }
  }
}

/** Returns whether an argument is that of a change (`Mutation`). */
const isMutation = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'idempotencyKey' in value

function reportedError(error: unknown, { redaction, signal, broken }: Shield): ProviderError {
  const { redact, redactAll } = redaction
  if (isProviderError(error)) {
    const detail = redactAll(error.detail) as ProviderError['detail']
    const reported = new ProviderError(error.code, redact(error.message), detail)
    if (typeof error.stack === 'string') reported.stack = redact(error.stack)
    return reported
  }
  if (signal.aborted) {
    return new ProviderError('timeout', 'It does not respond in time', { outcome: 'unknown' })
  }
  broken(redactAll(error))
  return new ProviderError('protocol', 'The plugin failed', { outcome: 'unknown' })
}
