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
    .use(says('Groups of testers, on Google Play testing tracks: their names or ids.')),
  notes: vine
    .array(
      vine.object({
        locale: text(35).use(says('BCP-47 tag of the language, such as `en-US`.')),
        text: trimmedText(MOST_OF_TEST_NOTES.apple).use(
          says('What is to be tested: at most 4000 characters (Apple) or 500 (Google).')
        ),
      })
    )
    .maxLength(MOST_GROUPS)
    .distinct('locale')
    .use(says('Test notes; languages that are not named keep theirs.'))
    .optional(),
  appStoreBuildId: text(100)
    .use(
      says(
        'Id of the build; absent for the one that is selected, or else the newest that testers can have.'
      )
    )
    .optional(),
})
export type TestersInput = Infer<typeof testersValidator>
