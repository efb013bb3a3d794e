interface Reported {
  type: string
  title: string
  data?: Readonly<Record<string, unknown>>
}

/** Types of entries about a change of status. */
const CHANGES: ReadonlySet<string> = new Set([
  'checklistItem.statusChanged',
  'releaseStep.statusChanged',
  'ciBuild.statusChanged',
  'release.regressionStatusUpdated',
  'appStoreVersion.statusUpdated',
])

/** Returns a code of the API as people write it: `waiting for review`, `in progress`. */
export const spelledOut = (code: string): string =>
  code
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/**
 * Returns the title of an entry of the timeline with its statuses in words: `not started →
 * complete`. Texts that people wrote stay.
 */
export function titleInWords({ type, title, data }: Reported, word = spelledOut): string {
  if (type === 'appStoreVersion.phasedReleaseUpdated') return title.replace(SHARE, shareIn)
  if (type === 'step.regressionStatusSet') return title.replace(BY_HAND, byHand)
  if (!CHANGES.has(type)) return title
  const named = title.replace(OWN_NUMBER, 'A build')
  const { from, to } = data ?? {}
  if (typeof to !== 'string') return named
  const reported = [typeof from === 'string' ? `: ${from} → ${to}` : '', `: ${to}`]
  for (const each of reported.filter(Boolean)) {
    const at = named.lastIndexOf(each)
    if (at === -1) continue
    const words = each.slice(2).split(' → ').map(word).join(' → ')
    return `${named.slice(0, at)}: ${words}${named.slice(at + each.length)}`
  }
  return named
}

/** A title about a requested build to which CI has given no identifier yet. */
const OWN_NUMBER = /^Build trigger_\w+/

/** The state of a rollout in the words of its store, within a title. */
const SHARE = / is (\w+) at (?=[\d.]+ %)/
const shareIn = (_: string, raw: string) => ` is ${spelledOut(raw)} at `

/** A verdict within a title. */
const BY_HAND = / was set to (\w+) by hand/
const byHand = (_: string, status: string) => ` was set to ${spelledOut(status)} by hand`
