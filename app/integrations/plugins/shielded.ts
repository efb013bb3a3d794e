import type { Redaction } from '#plugin-kit/port/redaction'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'

interface Shield {
  redaction: Redaction
  /** Ends when the caller no longer waits. */
  signal: AbortSignal
  /** Told of each call that has an answer. */
  answered?: () => void
  /** Told of an error that a plugin did not mean, without secrets. */
  broken: (error: unknown) => void
}

type Method = (...args: unknown[]) => unknown

/**
 * A capability whose failures may be told: whatever its methods throw is a `ProviderError` without
 * a secret. What a plugin did not mean is `protocol`, and nobody knows what came of it.
 */
export function shielded<Capability>(capability: Capability, shield: Shield): Capability {
  const methods = new Map<PropertyKey, Method>()
  return new Proxy(capability as object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function' || name === 'constructor') return member
      let method = methods.get(name)
      if (!method) methods.set(name, (method = shieldedMethod(target, member as Method, shield)))
      return method
    },
  }) as Capability
}

function shieldedMethod(target: object, method: Method, shield: Shield): Method {
  return async (...args) => {
    try {
      const answer: unknown = await Reflect.apply(method, target, args)
      shield.answered?.()
      return answer
    } catch (error) {
      throw toldError(error, shield)
    }
  }
}

function toldError(error: unknown, { redaction, signal, broken }: Shield): ProviderError {
  const { redact, redactAll } = redaction
  if (isProviderError(error)) {
    const detail = redactAll(error.detail) as ProviderError['detail']
    const told = new ProviderError(error.code, redact(error.message), detail)
    if (typeof error.stack === 'string') told.stack = redact(error.stack)
    return told
  }
  if (signal.aborted) {
    return new ProviderError('timeout', 'It does not answer in time', { outcome: 'unknown' })
  }
  broken(redactAll(error))
  return new ProviderError('protocol', 'The plugin failed', { outcome: 'unknown' })
}
