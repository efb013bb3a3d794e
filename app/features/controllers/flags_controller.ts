import { ok } from '#foundation/api/operation/response'
import type { Call, Present } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Flag } from '#plugin-kit/capabilities/monitoring'
import { readRelease, type ReleaseRow } from '#releases/queries/read_release'
import { versionParts } from '#releases/names/version_parts'
import { askFlags, findFlag, flagSource, flagsOf } from '../flags/ask_flags.js'
import { flagEntity, type FlagPlace } from '../flags/flag_entity.js'
import { SWITCHED, switchTitle } from '../flags/report_switch.js'
import { switchFlag } from '../flags/switch_flag.js'
import { checkNotes, generateNotes } from '../notes/generate_notes.js'
import type { GenerateNotesInput } from '../validators/notes_input.js'
import type { SwitchFlagInput } from '../validators/flags_input.js'

/** Serves data that others provide for a release: flags, and notes about its content. */
export class FlagsController {
  /** Lists the flags of a release, without archived ones and those made after its kickoff. */
  async index({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const source = await flagSource(scope, params.appId)
    if (!source) return ok([])
    const { place } = source
    const flags = await askFlags(scope, source, (requested) =>
      flagsOf(requested, place, release.version)
    )
    const { kickedOffAt } = release
    const shown = flags.filter(
      ({ archived, createdAt }) =>
        !archived && (kickedOffAt === null || createdAt === undefined || createdAt < kickedOffAt)
    )
    return ok(shown.map((flag) => entityOf(flag, place, release)))
  }

  async switch({ scope, params, body }: Call<SwitchFlagInput>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const source = await flagSource(scope, params.appId)
    if (!source) {
      const detail = `${params.appId} has no experimentation integration.`
      throw refuse('integration_missing', { detail })
    }
    const flag = await switchFlag(scope, release, source, params.flagId, body)
    return ok(entityOf(flag, source.place, release))
  }

  /** Returns the present state of a flag, and its place. */
  async present({ scope, params, body }: Call<SwitchFlagInput>): Promise<Present> {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const source = await flagSource(scope, params.appId)
    if (!source) return { asks: 'experimentation', state: null }
    const { id: integrationId, place } = source
    const flag = await askFlags(scope, source, (flags) => findFlag(flags, place, params.flagId))
    const state = { ...entityOf(flag, place, release), integrationId, ...place }
    const title = switchTitle(flag.key, body.enabled)
    const events = flag.enabled === body.enabled ? [] : [{ type: SWITCHED, title }]
    return { asks: 'experimentation', state, events }
  }

  async checkNotes(
    { scope, params, body }: Call<PartiallyValid<GenerateNotesInput>>,
    errors: InputErrors
  ) {
    await readRelease(scope, params.appId, params.releaseId)
    checkNotes(body, errors)
  }

  async notes({ scope, params, body }: Call<GenerateNotesInput>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const { notesType, stepType } = params
    return ok(await generateNotes(scope, release, { notesType, stepType }, body))
  }
}

function entityOf(flag: Flag, place: FlagPlace, release: ReleaseRow) {
  return flagEntity(flag, place, versionParts(release))
}
