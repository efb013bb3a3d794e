import { isMap, isSeq, parseDocument } from 'yaml'
import { userActions } from '#organizations/vocabulary'
import type { OfApp } from './plan.js'

/**
 * Returns the parts of a plan from a configuration file. The people and groups that it names exist,
 * and may do everything.
 */
export function planOfFile(configuration: string): OfApp {
  const document = parseDocument(configuration, { version: '1.2', schema: 'core' })
  const appUsers = document.get('appUsers')
  const emails = isSeq(appUsers) ? appUsers.items.map((each) => String(each)) : []
  const buckets = document.getIn(['buildDistro', 'buckets'])
  const members = (isMap(buckets) ? buckets.items : []).flatMap(({ value }) => {
    const named = isMap(value) ? value.get('members') : null
    return isMap(named) ? named.items.map(({ key }) => String(key)) : []
  })
  const rules = document.get('changeApprovals')
  const approvers = (isSeq(rules) ? rules.items : []).flatMap((rule) => {
    const named = isMap(rule) ? rule.get('groups') : null
    return isSeq(named) ? named.items.map(String) : []
  })
  const addresses = [...emails, ...members.filter((each) => each.includes('@'))]
  const people = [...new Set(addresses.map((each) => each.toLowerCase()))]
  return {
    configuration,
    people: people.map((email) => ({ email, name: nameIn(email), groups: [] })),
    groups: [...new Set([...approvers, ...members.filter((each) => !each.includes('@'))])].map(
      (name) => ({ name, userActions: [...userActions], hasEverybody: true })
    ),
    items: [],
    endpoints: [],
  }
}

/** Turns `ada.lovelace@acme.example` into `Ada Lovelace`. */
const nameIn = (email: string) =>
  email
    .slice(0, email.indexOf('@'))
    .split(/[._-]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
