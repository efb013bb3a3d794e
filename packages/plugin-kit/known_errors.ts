import type { DescribedError } from './described_error.js'
import type { ProviderErrorCode } from './provider_error.js'

/**
 * A vendor's refusal that a release team can remedy, as data. `{name}` in its texts is a
 * placeholder for a word that `describeKnown` gets from the vendor's answer.
 */
export interface KnownError {
  /** Absent for any status. */
  statuses?: readonly number[]
  /** Part of the vendor's text or code, case-insensitive; absent for any text. */
  says?: string
  code: ProviderErrorCode
  /** The problem, in one sentence. */
  reason: string
  /** The person who has to act, and the action, in one sentence. */
  action: string
  /** The role at the vendor that has to act, such as `Account Holder`; absent for anybody else. */
  who?: string
}

/** An error answer of a vendor. */
interface ReadAnswer {
  status: number
  /** The vendor's text and codes, in any order. */
  said: string
  /**
   * Values for placeholders in the texts. An error with a placeholder without a value does not
   * match.
   */
  words?: Readonly<Record<string, string | undefined>>
}

/** Returns the first known error that an answer matches; undefined if none does. */
export function describeKnown(
  known: readonly KnownError[],
  { status, said, words = {} }: ReadAnswer
): DescribedError | undefined {
  const text = said.toLowerCase()
  for (const { statuses, says = '', code, reason, action, who } of known) {
    if (statuses && !statuses.includes(status)) continue
    if (!text.includes(says.toLowerCase())) continue
    const texts = { reason: filled(reason, words), action: filled(action, words) }
    if (texts.reason === null || texts.action === null) continue
    return { code, ...texts, ...(who !== undefined && { who }) } as DescribedError
  }
  return undefined
}

/** Fills the placeholders of a text; null if one has no value. */
function filled(text: string, words: NonNullable<ReadAnswer['words']>): string | null {
  let isComplete = true
  const filledText = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = Object.hasOwn(words, name) ? words[name] : undefined
    if (word === undefined) isComplete = false
    return word ?? ''
  })
  return isComplete ? filledText : null
}
