/*
 * Addresses in texts that many people wrote a part of: nobody knows where they lead. Repetitions
 * are bounded, so that what they cost grows with the text alone.
 */

const WEB = /(?:\b[a-z][a-z0-9+.-]{0,20}:\/\/|\bwww\.)\S+/gi
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
/** Names of hosts without more around them, under endings that are common. */
const HOST =
  /[a-z0-9-]{1,63}\.(?:com|net|org|io|app|dev|me|info|biz|xyz|shop|site|store|online|link|live|top|club|gg|ly|ru|cn|example)(?![a-z0-9-])/i

/** A text without web and mail addresses; names of hosts alone are often names of products. */
export const withoutAddresses = (text: string): string =>
  text.replace(WEB, ' ').replace(MAIL, ' ').replace(/\s+/g, ' ').trim()

/** Returns whether a text contains an address, even a bare host name. */
export const hasAddress = (text: string): boolean =>
  [WEB, MAIL, HOST].some((address) => text.search(address) >= 0)
