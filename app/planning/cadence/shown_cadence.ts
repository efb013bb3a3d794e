import { isDeepStrictEqual } from 'node:util'
import type { PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Cadence } from '../calendar/cadence.js'
import type { SetCadenceInput } from '../validators/planning_input.js'

/** Returns a cadence as it is shown, and may be sent back. */
export function shownCadence({ targets, exceptions, ...own }: Cadence) {
  return {
    ...own,
    targets: [{ releaseType: 'standard' as const, ...targets }],
    exceptions: exceptions.map(({ pilotId, ...each }) => ({ ...each, releasePilotId: pilotId })),
  }
}

type Shown = ReturnType<typeof shownCadence>

/** Returns whether a sent member equals what is shown of the cadence. */
export function isAsShown(cadence: Cadence, name: keyof Shown, given: SoundInput): boolean {
  return isDeepStrictEqual(whole(given)[name], shownCadence(cadence)[name])
}

type SoundInput = PartiallyValid<SetCadenceInput>

/** Completes an input with all optional members. */
function whole({ targets, exceptions, ...given }: SoundInput) {
  return {
    ...given,
    targets: targets?.map((each) => each && { ...TARGETS, ...each }),
    exceptions: exceptions?.map((each) => each && { ...EXCEPTION, ...each }),
  }
}

const TARGETS = { releaseType: 'standard', submit: null, release: null }
const EXCEPTION = { skipped: false, movedTo: null, releasePilotId: null }
