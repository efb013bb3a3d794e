import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { list } from '#foundation/core/schemas'
import { GeneratedNotes } from '../entities.js'
import { exampleFlag, exampleNotes } from '../examples.js'
import { FeatureFlag } from '../flag_entities.js'
import { MAX_FLAGS } from '../flags/ask_flags.js'
import { switchFlagValidator } from '../validators/flags_input.js'
import { generateNotesValidator } from '../validators/notes_input.js'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const flags = lazyController(
  async () => new (await import('../controllers/flags_controller.js')).FlagsController()
)
const tag = 'Release'
const RELEASE = '/app/{appId}/release/{releaseId}'

export const operations = [
  operation({
    id: 'listFeatureFlags',
    callsOthers: true,
    method: 'GET',
    path: `${RELEASE}/featureFlags`,
    tag,
    summary: "List a release's feature flags",
    description:
      'Returns the current flags of the environment, read from the experimentation service: those that were created before the kickoff and are not archived, each with its effect on the version. Without such an integration the list is empty; a provider failure is 502 `provider_error`.',
    access: read,
    responses: {
      200: {
        description: 'The flags.',
        schema: list('The flags.', FeatureFlag, MAX_FLAGS),
        example: [exampleFlag],
      },
    },
    errors: [409, 502],
    handle: (call) => flags.index(call),
  }),
  operation({
    id: 'updateFeatureFlag',
    callsOthers: true,
    steps: twoSteps('reaches users at once'),
    method: 'PUT',
    path: `${RELEASE}/featureFlag/{flagId}`,
    tag,
    summary: 'Enable or disable a feature flag',
    description:
      'Enables or disables a flag, by its id or key, in the environment of the app, and records this in the timeline of the release. If the flag has changed since it was read, the request fails with 409 `flag_changed`. A provider failure is 502 `provider_error`.',
    access: actions('ToggleFeatureFlags'),
    apart: true,
    body: {
      kind: 'json',
      name: 'UpdateFeatureFlagRequestBody',
      description: 'The requested state of the flag.',
      like: FeatureFlag,
      validator: switchFlagValidator,
      example: { enabled: true, etag: exampleFlag.etag },
    },
    responses: {
      200: {
        description: 'The flag in its current state.',
        schema: FeatureFlag,
        example: exampleFlag,
      },
    },
    errors: [409, 502],
    present: (call) => flags.present(call),
    handle: (call) => flags.switch(call),
  }),
  operation({
    id: 'generateReleaseNotes',
    callsOthers: true,
    steps: oneStep('proposes, and saves nothing'),
    method: 'POST',
    path: `${RELEASE}/notes/{notesType}/{stepType}`,
    tag,
    summary: 'Generate AI release notes',
    description:
      'Generates release notes from the work items, in one language and within the length limit of the store. A configured language model writes them; if there is none, or its text fails or is unusable, rules compose the notes, as `source` and `modelFailure` report. The notes are not saved.',
    access: actions('GenerateReleaseNotes'),
    apart: true,
    body: {
      kind: 'json',
      name: 'GenerateReleaseNotesRequestBody',
      description: 'Options for the notes.',
      validator: generateNotesValidator,
      optional: true,
      example: { locale: 'en-US', tone: 'friendly' },
    },
    responses: {
      200: { description: 'The notes.', schema: GeneratedNotes, example: exampleNotes },
    },
    check: (call, errors) => flags.checkNotes(call, errors),
    handle: (call) => flags.notes(call),
  }),
]
