import type { DescribedError } from './described_error.js'
import type { ProviderErrorCode } from './provider_error.js'

/**
 * A refusal of a vendor that a release team can do something about, as data. `{name}` in its texts
 * stands for the vendor's own word of that name, where `describeKnown` is given one.
 */
export interface KnownError {
  /** Any where absent. */
  statuses?: readonly number[]
  /** Part of the vendor's text or code, in any case; any where absent. */
  says?: string
  code: ProviderErrorCode
  /** The case, in one sentence. */
  reason: string
  /** The person who has to act, and the action, in one sentence. */
  action: string
}

/** The answer that an error is read from. */
interface ReadAnswer {
  status: number
  /** The vendor's text and codes, whatever their order. */
  said: string
  /** The vendor's words for names in the texts. An error whose name has none is passed over. */
  words?: Readonly<Record<string, string | undefined>>
}

/** The first known error that an answer matches; undefined without one. */
export function describeKnown(
  known: readonly KnownError[],
  { status, said, words = {} }: ReadAnswer
): DescribedError | undefined {
  const text = said.toLowerCase()
  for (const { statuses, says = '', code, reason, action } of known) {
    if (statuses && !statuses.includes(status)) continue
    if (!text.includes(says.toLowerCase())) continue
    const texts = { reason: filled(reason, words), action: filled(action, words) }
    if (texts.reason !== null && texts.action !== null) return { code, ...texts } as DescribedError
  }
  return undefined
}

/** Null if a name has no word. */
function filled(text: string, words: NonNullable<ReadAnswer['words']>): string | null {
  let isWhole = true
  const whole = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = Object.hasOwn(words, name) ? words[name] : undefined
    if (word === undefined) isWhole = false
    return word ?? ''
  })
  return isWhole ? whole : null
}
