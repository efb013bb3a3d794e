import { entity, list, nonEmpty, object, percentage } from '#foundation/core/schemas'

export const TranslationsReleaseStepData = entity(
  'TranslationsReleaseStepData',
  'Data of a translations step.',
  {
    translations: list(
      'Its locales as last seen; empty before.',
      object('A locale.', {
        locale: nonEmpty('As the translation service names it.', 100),
        percentage: percentage('Share that is translated: 100 only if all of it is.'),
      }),
      1000
    ),
  }
)
