import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { list } from '#foundation/core/schemas'
import { GeneratedNotes } from '../entities.js'
import { exampleFlag, exampleNotes } from '../examples.js'
import { FeatureFlag } from '../flag_entities.js'
import { MOST_FLAGS } from '../flags/ask_flags.js'
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
      'The flags of the environment that were made before the release was kicked off and are not archived, as the experimentation service has them now, with what they mean to the version. Without such an integration the list is empty; where the provider fails it is 502 `provider_error`.',
    access: read,
    answers: {
      200: {
        description: 'The flags.',
        schema: list('The flags.', FeatureFlag, MOST_FLAGS),
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
      'Switches a flag, by its id or key, in the environment of the app, and records it in the timeline of the release. One that somebody changed since it was seen is left as it is: 409 `flag_changed`. Where the provider fails it is 502 `provider_error`.',
    access: actions('ToggleFeatureFlags'),
    apart: true,
    body: {
      kind: 'json',
      name: 'UpdateFeatureFlagRequestBody',
      description: 'What the flag is to be.',
      like: FeatureFlag,
      validator: switchFlagValidator,
      example: { enabled: true, etag: exampleFlag.etag },
    },
    answers: {
      200: { description: 'The flag as it is now.', schema: FeatureFlag, example: exampleFlag },
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
      'Writes notes of what is in the release from its work items, for a language, no longer than the store takes. Where a language model is configured it writes them; where it fails, or writes what cannot be shown, `source` and `modelFailure` say so and the notes are put together by rules. Nothing of it is saved.',
    access: actions('GenerateReleaseNotes'),
    apart: true,
    body: {
      kind: 'json',
      name: 'GenerateReleaseNotesRequestBody',
      description: 'How the notes are to be.',
      validator: generateNotesValidator,
      optional: true,
      example: { locale: 'en-US', tone: 'friendly' },
    },
    answers: {
      200: { description: 'The notes.', schema: GeneratedNotes, example: exampleNotes },
    },
    check: (call, errors) => flags.checkNotes(call, errors),
    handle: (call) => flags.notes(call),
  }),
]
