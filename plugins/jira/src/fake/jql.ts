import { Refusal } from './answers.js'

/** A parsed search. The fake supports only terms joined by `AND`. */
export interface Query {
  projects: string[]
  version: string | null
  label: string | null
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"`
const TERMS = new RegExp(
  String.raw`^(?:project in \((?<projects>${STRING}(?:, ${STRING})*)\)|(?<field>fixVersion|labels) = (?<value>${STRING}))$`
)
const ORDER = / ORDER BY [a-z]+(?: ASC| DESC)?$/

/**
 * Parses a search.
 * @throws Refusal for invalid JQL, and for a search without a restriction
 */
export function readJql(text: string): Query {
  const query: Query = { projects: [], version: null, label: null }
  for (const term of termsIn(text.replace(ORDER, ''))) {
    const { projects, field, value } = TERMS.exec(term)?.groups ?? {}
    if (projects) query.projects = stringsIn(projects)
    else if (field === 'fixVersion') [query.version] = stringsIn(value)
    else if (field === 'labels') [query.label] = stringsIn(value)
    else throw new Refusal(400, [`Error in the JQL Query: Expecting an operator near '${term}'.`])
  }
  if (query.projects.length === 0) {
    throw new Refusal(400, [
      'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
    ])
  }
  return query
}

/** Splits a search at `AND`, but not within quoted texts. */
function termsIn(text: string): string[] {
  const parts = text.match(new RegExp(String.raw`(?:${STRING}|(?! AND )[^"])+`, 'g')) ?? []
  return parts.map((each) => each.trim().replace(/^AND /, ''))
}

const stringsIn = (list: string): string[] =>
  (list.match(new RegExp(STRING, 'g')) ?? []).map((each) =>
    each.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  )
