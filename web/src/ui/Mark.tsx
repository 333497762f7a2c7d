/** The product's logo: a speech bubble above the ground that people gather on. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="#2b5a88" />
    <path
      d="M7.5 13.5C7.5 9.9 11.3 7.5 16 7.5s8.5 2.4 8.5 6-3.8 6-8.5 6c-.9 0-1.8-.1-2.6-.3l-4.2 2 .7-3.3c-1.5-1.1-2.4-2.6-2.4-4.4z"
      fill="#fff"
    />
    <path
      d="M11 25.2c3.1 1.1 6.9 1.1 10 0"
      fill="none"
      stroke="#fff"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
  </svg>
);
