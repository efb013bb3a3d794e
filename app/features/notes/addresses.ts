/*
 * Finds addresses in untrusted texts. Repetitions in the patterns are bounded, so that the cost is
 * linear in the length of the text.
 */

const WEB = /(?:\b[a-z][a-z0-9+.-]{0,20}:\/\/|\bwww\.)\S+/gi
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
/** Bare host names under common top-level domains. */
const HOST =
  /[a-z0-9-]{1,63}\.(?:com|net|org|io|app|dev|me|info|biz|xyz|shop|site|store|online|link|live|top|club|gg|ly|ru|cn|example)(?![a-z0-9-])/i

/** Removes web and mail addresses. Bare host names stay: they are often names of products. */
export const withoutAddresses = (text: string): string =>
  text.replace(WEB, ' ').replace(MAIL, ' ').replace(/\s+/g, ' ').trim()

/** Returns whether a text contains an address, even a bare host name. */
export const hasAddress = (text: string): boolean =>
  [WEB, MAIL, HOST].some((address) => text.search(address) >= 0)
