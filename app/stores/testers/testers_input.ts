import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { describedAs, text, trimmedText } from '#foundation/api/operation/input'
import { MAX_OF_TEST_NOTES } from '../vocabulary.js'
import { MAX_GROUPS } from './beta_testing_data.js'

export const testersValidator = vine.create({
  groups: vine
    .array(trimmedText(200))
    .minLength(1)
    .maxLength(MAX_GROUPS)
    .distinct()
    .use(describedAs('Names or ids of tester groups, or of testing tracks on Google Play.')),
  notes: vine
    .array(
      vine.object({
        locale: text(35).use(describedAs('BCP-47 tag of the language, such as `en-US`.')),
        text: trimmedText(MAX_OF_TEST_NOTES.apple).use(
          describedAs('What to test: at most 4000 characters (Apple) or 500 (Google).')
        ),
      })
    )
    .maxLength(MAX_GROUPS)
    .distinct('locale')
    .use(describedAs('Test notes; unnamed languages keep theirs.'))
    .optional(),
  appStoreBuildId: text(100)
    .use(
      describedAs(
        'Id of the build; by default the selected one, or else the newest that testers can get.'
      )
    )
    .optional(),
})
export type TestersInput = Infer<typeof testersValidator>
