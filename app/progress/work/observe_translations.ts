import { observe } from './observe.js'

/** Polls how far each locale is translated. */
export const observeTranslations = observe('translations', 'translations', async (service) => {
  const locales = await service.listLocales()
  return locales.map(({ locale, translated, total }) => ({
    locale: locale.slice(0, MAX_CHARACTERS),
    percentage: translated >= total ? 100 : Math.floor((100 * Math.max(0, translated)) / total),
  }))
})

const MAX_CHARACTERS = 100
