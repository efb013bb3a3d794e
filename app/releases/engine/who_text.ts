/** Returns the people and systems of a condition as text: `QA or Ada`, `the store`. */
export function whoText(who: readonly { type: string; name?: string }[]): string {
  const isNamed = who.some(({ type }) => type === 'user' || type === 'group')
  const names = who.flatMap(({ type, name }) => {
    if (type === 'store') return ['the store']
    if (type === 'service') return ['Tarmac']
    if (type !== 'userAction') return [name ?? type]
    return isNamed ? [] : [`whoever may ${spoken(name ?? '')}`]
  })
  return [...new Set(names)].join(' or ') || 'nobody in particular'
}

/** Turns `SubmitForReview` into `submit for review`; abbreviations stay as they are. */
const spoken = (action: string) =>
  action
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase())
