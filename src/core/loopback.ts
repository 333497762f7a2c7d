/** Whether only this machine can reach an address: `localhost`, any of 127.0.0.0/8, or ::1. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i.test(host);
