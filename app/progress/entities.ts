import { entity, nonEmpty, percentage } from '#foundation/core/schemas'

export const TranslatedLocaleEntity = entity(
  'TranslatedLocaleEntity',
  'Translation progress of a release in one language.',
  {
    locale: nonEmpty('Language tag used by the translation service.', 100),
    percentage: percentage('Share translated; 100 only if complete.'),
  }
)
