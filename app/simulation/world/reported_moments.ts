import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { PROVIDER_NAMES, Trouble, AffectedProvider, World } from './world.js'

/** Names of a world's providers for people. */
const NAMES: Readonly<Record<keyof typeof PROVIDER_NAMES, string>> = {
  code: 'the git host',
  ci: 'CI',
  apple: 'the App Store',
  google: 'Google Play',
  chat: 'the chat',
  tracker: 'the issue tracker',
  tests: 'the test management',
  crashes: 'the crash monitor',
  analytics: 'the analytics provider',
  flags: 'the flag service',
  oncall: 'the on-call schedule',
  translations: 'the translation service',
}

/** Messages at the beginning and the end of each trouble. */
const MESSAGES = {
  outages: ['is away', 'is back'],
  limits: ['was asked too often', 'may be asked again'],
  revocations: ['refuses the token', 'takes the token again'],
} as const

interface ReportedMoment {
  /** Milliseconds since the epoch. */
  at: number
  text: string
}

/**
 * Describes, for people, what a scenario did to the providers of a world after `from`, up to `to`.
 * A store without an app is left out.
 */
export function momentsBetween(world: World, from: number, to: number): ReportedMoment[] {
  const reported: ReportedMoment[] = []
  for (const kind of ['outages', 'limits', 'revocations'] as const) {
    const [begins, ends] = MESSAGES[kind]
    for (const trouble of world[kind].filter((each) => concerns(world, each))) {
      const who = capitalized(nameOf(trouble.of))
      reported.push({ at: trouble.from, text: `${who} ${begins}` })
      if (trouble.until !== null) {
        reported.push({ at: trouble.until, text: `${who} ${ends}` })
      }
    }
  }
  for (const { at, store, deed: action, refused } of world.done) {
    if (!hasApps(world, store)) continue
    const came = refused === null ? '' : `, which is refused: ${refused}`
    reported.push({
      at,
      text: `Somebody ${spoken(action)} in the console of ${NAMES[store]}${came}`,
    })
  }
  return reported
    .filter(({ at }) => at > from && at <= to)
    .sort((one, other) => one.at - other.at || compareTexts(one.text, other.text))
}

const concerns = (world: World, { of }: Trouble) =>
  (of !== 'apple' && of !== 'google') || hasApps(world, of)

const hasApps = ({ appStores, plays }: World, store: 'apple' | 'google') =>
  Object.keys(store === 'apple' ? appStores : plays).length > 0

const nameOf = (of: AffectedProvider) => (of === null ? 'every provider' : NAMES[of])

const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1)

/** Turns `cancelsReview` into `cancels review`. */
const spoken = (action: string) => action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
