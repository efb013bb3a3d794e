import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { says, text, trimmedText } from '#foundation/api/operation/input'
import { MOST_OF_TEST_NOTES } from '../vocabulary.js'
import { MOST_GROUPS } from './beta_testing_data.js'

export const testersValidator = vine.create({
  groups: vine
    .array(trimmedText(200))
    .minLength(1)
    .maxLength(MOST_GROUPS)
    .distinct()
    .use(says('Names or ids of tester groups, or of testing tracks on Google Play.')),
  notes: vine
    .array(
      vine.object({
        locale: text(35).use(says('BCP-47 tag of the language, such as `en-US`.')),
        text: trimmedText(MOST_OF_TEST_NOTES.apple).use(
          says('What to test: at most 4000 characters (Apple) or 500 (Google).')
        ),
      })
    )
    .maxLength(MOST_GROUPS)
    .distinct('locale')
    .use(says('Test notes; unnamed languages keep theirs.'))
    .optional(),
  appStoreBuildId: text(100)
    .use(
      says('Id of the build; by default the selected one, or else the newest that testers can get.')
    )
    .optional(),
})
export type TestersInput = Infer<typeof testersValidator>
