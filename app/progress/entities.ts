import { entity, nonEmpty, percentage } from '#foundation/core/schemas'

export const TranslatedLocaleEntity = entity(
  'TranslatedLocaleEntity',
  'How far the texts of a release are translated into one language.',
  {
    locale: nonEmpty('Tag of the language, as the translation service names it.', 100),
    percentage: percentage('Share that is translated: 100 only if all of it is.'),
  }
)
